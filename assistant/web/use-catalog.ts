import { useEffect, useState } from "preact/hooks";
import { read } from "./client.ts";
import { type Catalog, catalogSchema } from "./wire.ts";

/** What can be asked about, for the chips; null until it is here, and where it cannot be read: then nothing is offered. */
export const useCatalog = (token: string): Catalog | null => {
  const [catalog, setCatalog] = useState<Catalog | null>(null);
  useEffect(() => {
    let wanted = true;
    read(token, "/reporting_ai/catalog", catalogSchema).then(
      (found) => wanted && setCatalog(found),
      () => undefined,
    );
    return () => {
      wanted = false;
    };
  }, [token]);
  return catalog;
};
