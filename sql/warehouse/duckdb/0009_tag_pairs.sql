-- The tags of a call as one text, which a filter by tag reads in a tenth of the time that the map takes: each key and its value
-- behind chr(31) and chr(30), chr(31) at the end; what has these characters or chr(29) itself has chr(29) and a digit instead.
ALTER TABLE stored_calls ADD COLUMN tag_pairs VARCHAR;

UPDATE stored_calls SET tag_pairs = array_to_string(list_transform(map_entries(tags), lambda pair:
    chr(31) || replace(replace(replace(pair.key, chr(29), chr(29) || '0'), chr(30), chr(29) || '1'), chr(31), chr(29) || '2') ||
    chr(30) || replace(replace(replace(pair.value, chr(29), chr(29) || '0'), chr(30), chr(29) || '1'), chr(31), chr(29) || '2')
  ), '') || chr(31)
WHERE cardinality(tags) > 0;
