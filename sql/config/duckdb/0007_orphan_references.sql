-- What documents named that were deleted while they were changed: nobody could delete what it names.
DELETE FROM document_references AS named
WHERE NOT EXISTS (SELECT 1 FROM documents AS d WHERE d.type = named.from_type AND d.id = named.from_id);
