import express, { type Request, type Response } from "express";

/** What a body is written in. */
export type BodyType = "json" | "form";

/** Reads a request's body into `request.body`; a body of another content type is not read. */
export type ReadBody = (request: Request, response: Response) => Promise<void>;

/** Fields that one form may have: carriers send some dozens. */
const maxFormFields = 1000;

/** A reader for each type of body, which reads no more than `limit` bytes. */
export function bodyReaders(limit: number): Readonly<Record<BodyType, ReadBody>> {
  return {
    json: promised(express.json({ limit })),
    form: promised(express.urlencoded({ limit, extended: false, parameterLimit: maxFormFields })),
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
