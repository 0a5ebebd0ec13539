-- Approved questions by the SHA-256 of what is compared, in hex: questions of any length and script fit their index, which
-- takes no more than 2,704 bytes.
ALTER TABLE approved_questions DROP CONSTRAINT approved_questions_pkey;
UPDATE approved_questions SET question = encode(sha256(convert_to(question, 'UTF8')), 'hex');
ALTER TABLE approved_questions RENAME COLUMN question TO question_sha256;
ALTER TABLE approved_questions ADD PRIMARY KEY (org_id, question_sha256);
