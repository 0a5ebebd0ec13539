interface Detail {
  readonly code?: string;
  readonly message?: string;
}
interface InputDetail {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
}

/** An answer that says no. The message is the API's own sentence. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  /** A code for programs, such as `not_found`; `invalid_input` where fields of a request are wrong. */
  readonly code: string;
  /** Names the request in the logs of the installation. */
  readonly requestId: string | null;
  /** The body as it came. */
  readonly body: unknown;

  constructor(response: Response, body: unknown) {
    const detail = (body as { detail?: Detail | readonly InputDetail[] } | undefined)?.detail;
    const { code, message } = Array.isArray(detail) ? ofInput(detail) : ((detail ?? {}) as Detail);
    super(message ?? `The API answered with ${response.status}.`);
    this.status = response.status;
    this.code = code ?? "unknown";
    this.requestId = response.headers.get("x-request-id");
    this.body = body;
  }
}

const ofInput = (details: readonly InputDetail[]): Detail => ({
  code: "invalid_input",
  message: details.map(({ loc, msg }) => `${loc.join(".")}: ${msg}`).join("; "),
});
