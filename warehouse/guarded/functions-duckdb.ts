/**
 * The functions that text of others may call, lower case. Left out are those that read something beside the rows
 * (files, settings, catalogs, variables, other SQL), that write (sequences, logs), that wait, those whose result is
 * as large as the text asks for (`repeat`, `lpad`, `format`, `replace`, `list_resize`), and those whose work grows with the
 * square of what they are given (`levenshtein`, `jaro_similarity`): no limit of the engine's stops these early.
 */
const names = `
  + - * / // % ** ^ & | ~ << >> || = <> != < <= > >= ! @ ~~ !~~ ~~* !~~* ~~~ ^@ -> ->>
  abs add subtract multiply divide fdiv fmod mod pow power sqrt cbrt exp ln log log2 log10 ceil ceiling floor round trunc even
  round_even roundbankers sign greatest least gcd lcm pi sin cos tan asin acos atan atan2 degrees radians isnan isinf isfinite
  hash md5 sha256 xor bit_count
  lower upper lcase ucase trim ltrim rtrim length len strlen char_length character_length left right substr substring
  strpos instr position contains prefix starts_with ends_with suffix translate reverse concat concat_ws split
  split_part string_split str_split string_split_regex regexp_matches regexp_full_match regexp_extract regexp_extract_all
  regexp_escape ascii chr ord unicode strip_accents jaccard hamming like_escape not_like_escape ilike_escape not_ilike_escape url_decode url_encode
  coalesce ifnull nullif if typeof error
  date_trunc datetrunc date_part datepart date_diff datediff date_sub datesub date_add age year quarter month week day hour
  minute second millisecond microsecond weekday dayofweek dayofmonth dayofyear isodow isoyear weekofyear yearweek
  dayname monthname last_day days_in_month decade century era epoch epoch_ms epoch_us strftime strptime try_strptime
  make_date make_time make_timestamp to_timestamp timezone time_bucket now today get_current_timestamp current_date
  current_localtimestamp current_localtime transaction_timestamp ago
  to_years to_quarters to_months to_weeks to_days to_hours to_minutes to_seconds to_milliseconds to_microseconds
  map_keys map_values map_extract map_extract_value map_contains map_entries element_at cardinality map array_extract list_extract
  list_element struct_extract struct_pack row list_value array_length list_contains array_contains list_has array_has list_position
  array_position list_sort array_sort list_reverse_sort list_distinct list_slice array_slice list_filter list_transform
  list_apply list_sum list_avg list_min list_max list_count list_any_value list_reverse array_to_string flatten unnest
  json json_extract json_extract_string json_extract_path json_extract_path_text json_value json_exists json_keys
  json_type json_valid json_array_length json_contains to_json
  count count_star count_if countif sum avg mean min max median mode quantile quantile_cont quantile_disc approx_quantile
  approx_count_distinct stddev stddev_pop stddev_samp variance var_pop var_samp skewness kurtosis corr covar_pop
  covar_samp regr_slope regr_intercept regr_r2 regr_count regr_avgx regr_avgy regr_sxx regr_sxy regr_syy first last any_value
  arbitrary arg_min arg_max argmin argmax min_by max_by bool_and bool_or bit_and bit_or bit_xor product string_agg group_concat listagg list
  array_agg histogram entropy mad geomean geometric_mean favg fsum sum_no_overflow
  row_number rank dense_rank rank_dense percent_rank cume_dist ntile lag lead first_value last_value nth_value fill
`;
const allowed: ReadonlySet<string> = new Set(names.trim().split(/\s+/));

export const isAllowedFunction = (name: string): boolean => allowed.has(name.toLowerCase());
