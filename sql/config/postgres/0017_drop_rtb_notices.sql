-- Processes now send each other what they know of pings by NOTIFY, which stores nothing.
DROP TABLE rtb_notices;
DROP SEQUENCE rtb_notice_turns;
