/** What nobody is to find in a document, by its field. */
const secrets = /^(auth_key|signing_secret|sip_password|svc_auth_key)$/;
const mostItems = 2;
const mostCharacters = 300;

/** Returns an answer as an example of it: short, without secrets and addresses of the machine that it comes from. */
export function toExample(answer: unknown, field = ""): unknown {
  if (typeof answer === "string") return secrets.test(field) ? "a secret of your own" : toText(answer);
  if (Array.isArray(answer)) return answer.slice(0, mostItems).map((each) => toExample(each, field));
  if (typeof answer !== "object" || answer === null) return answer;
  return Object.fromEntries(Object.entries(answer).map(([name, each]) => [name, toExample(each, name)]));
}

const toText = (text: string): string => {
  const clean = text
    .replace(/http:\/\/127\.0\.0\.1:\d+/g, "https://calls.example.com")
    .replace(/127\.0\.0\.1/g, "203.0.113.10")
    .replace(/tl_[\w-]{20,}/g, "tl_YOUR_KEY")
    .replace(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, "YOUR_TOKEN")
    .replace(/svc_auth_key=[\w-]+/g, "svc_auth_key=YOUR_KEY");
  return clean.length <= mostCharacters ? clean : `${clean.slice(0, mostCharacters)}…`;
};
