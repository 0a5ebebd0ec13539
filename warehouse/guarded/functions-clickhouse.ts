/**
 * The functions that text of others may call, as the engine names what it has parsed, lower case. Left out are those that
 * read something beside the rows (dictionaries, files, joins, settings, the server), that wait or fail on purpose,
 * those whose result is as large as the text asks for, and those whose work grows with its square (`editDistance`); `range` has a limit of the engine's.
 */
const names = `
  plus minus multiply divide intdiv intdivorzero modulo positivemodulo negate abs greatest least equals notequals less greater
  lessorequals greaterorequals and or not xor in notin globalin globalnotin exists if multiif casewithexpression
  caseWithoutExpression isnull isnotnull isnotdistinctfrom isdistinctfrom coalesce ifnull nullif assumenotnull tonullable
  isnan isinfinite isfinite ifnotfinite round floor ceil ceiling trunc truncate roundbankers exp log ln log2 log10 sqrt cbrt
  pow power sign pi sin cos tan degrees radians bitand bitor bitxor
  lower upper lowerutf8 upperutf8 length lengthutf8 char_length character_length trim trimboth trimleft trimright ltrim rtrim
  substring substr mid left right concat concat_ws concatwithseparator
  reverse startswith endswith position positioncaseinsensitive locate like notlike ilike notilike match
  extract extractall splitbychar splitbystring splitbyregexp empty notempty initcap ascii tostring hex md5 sha256 cityhash64
  domain path querystring cutquerystring extracturlparameter decodeurlcomponent isvalidutf8
  toyear toquarter tomonth toweek toisoweek toisoyear todayofmonth todayofweek todayofyear tohour tominute tosecond
  tostartofyear tostartofquarter tostartofmonth tostartofweek tostartofday tostartofhour tostartofminute
  tostartoffiveminutes tostartoffifteenminutes tostartofinterval tomonday tolastdayofmonth todate todate32 todatetime
  todatetime64 todatetimeornull totimezone timezoneof timezoneoffset toyyyymm toyyyymmdd tounixtimestamp fromunixtimestamp makedate
  makedatetime datediff date_diff dateadd datesub date_add date_sub timestampadd timestampsub adddays addweeks addmonths
  addquarters addyears addhours addminutes addseconds subtractdays subtractweeks subtractmonths subtractyears
  subtracthours subtractminutes subtractseconds datetrunc date_trunc formatdatetime datename monthname now now64 today yesterday
  parsedatetime parsedatetimebesteffort parsedatetimebesteffortornull tointervalsecond tointervalminute tointervalhour
  tointervalday tointervalweek tointervalmonth tointervalquarter tointervalyear
  cast _cast accuratecast accuratecastornull toint8 toint16 toint32 toint64 touint8 touint16 touint32 touint64 tofloat32
  tofloat64 todecimal32 todecimal64 tobool toint32ornull toint64ornull tofloat64ornull totypename
  tuple tupleelement array range arrayelement lambda map mapkeys mapvalues mapcontains mapcontainskey arrayjoin arraymap arrayfilter
  arrayexists arrayall arraycount arraysum arrayavg arraymin arraymax arraysort arrayreversesort arraydistinct arrayuniq
  arraystringconcat arrayfirst has hasany hasall indexof arrayslice variantelement varianttype
  jsonextract jsonextractstring jsonextractint jsonextractfloat jsonextractbool jsonextractraw jsonhas jsonlength jsontype
  simplejsonextractstring json_value isvalidjson
  count countdistinct sum sumwithoverflow avg avgweighted min max any anylast anyvalue any_value first_value last_value argmin argmax
  median medianexact quantile quantiles quantileexact quantilesexact quantileexactinclusive quantilesexactinclusive
  quantileexactexclusive quantiletdigest quantiletiming uniq uniqexact uniqcombined uniqhll12 approx_count_distinct stddevpop
  stddevsamp stddev_pop stddev_samp varpop varsamp var_pop var_samp corr covarpop covarsamp skewpop kurtpop grouparray groupuniqarray
  group_concat groupconcat topk entropy boundingratio simplelinearregression grouping
  row_number rank dense_rank denserank percent_rank ntile lag lead laginframe leadinframe nth_value
`;
const allowed: ReadonlySet<string> = new Set(names.toLowerCase().trim().split(/\s+/));

/** Suffixes of aggregate functions: "sumIf", "countDistinctIf". */
const endings = /(if|distinct|ornull|ordefault)$/;

export function isAllowedFunction(name: string): boolean {
  const known = name.toLowerCase();
  if (allowed.has(known)) return true;
  const shorter = known.replace(endings, "");
  return shorter !== known && isAllowedFunction(shorter);
}
