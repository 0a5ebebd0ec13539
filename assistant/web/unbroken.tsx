/** "2026-10-01 13:00", "Oct 1, 2026," and "13:00:05". */
const moment = /(\d{4}-\d{2}-\d{2}(?: \d{2}:\d{2})?|[A-Z][a-z]{2} \d{1,2}, \d{4},?|\d{2}:\d{2}(?::\d{2})?)/;

/** Text whose dates and times are not wrapped: browsers break lines behind a hyphen. */
export const Unbroken = ({ text }: { text: string }) => (
  <>
    {text.split(moment).map((part, at) =>
      at % 2 === 0 ? (
        part
      ) : (
        <span key={at} class="unbroken">
          {part}
        </span>
      ),
    )}
  </>
);
