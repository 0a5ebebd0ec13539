import express, { type Request, type Response } from "express";

/** The format of a request body. */
export type BodyType = "json" | "form";

/** Reads a request's body into `request.body`; a body of another content type is not read. */
export type ReadBody = (request: Request, response: Response) => Promise<void>;

/** Fields of one form at most: carriers send some dozens. */
const maxFormFields = 1000;

/** Bytes of a form at most: it is read before the signature that covers it is checked, from anybody, and carriers send few. */
const maxFormBytes = 64 * 1024;

/** Creates a reader for each type of body; bodies longer than `limit` bytes are refused. */
export function bodyReaders(limit: number): Readonly<Record<BodyType, ReadBody>> {
  return {
    json: promised(express.json({ limit })),
    form: promised(
      express.urlencoded({ limit: Math.min(limit, maxFormBytes), extended: false, parameterLimit: maxFormFields }),
    ),
  };
}

const promised =
  (read: express.RequestHandler): ReadBody =>
  (request, response) =>
    new Promise((resolve, reject) => {
      read(request, response, (error?: unknown) => (error === undefined ? resolve() : reject(error)));
    });

export const hasBody = ({ headers }: Request): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
