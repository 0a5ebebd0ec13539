import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";

type Loaded<P> = { readonly view: ComponentType<P> };

/** A view whose code comes when it is first shown, so that the first view does not wait for it. */
export const createLazyView = <P extends object>(load: () => Promise<Loaded<P>>) => {
  let loaded: Loaded<P> | null = null;
  return (props: P) => {
    const [state, setState] = useState<Loaded<P> | "loading" | "failed">(loaded ?? "loading");
    useEffect(() => {
      if (loaded !== null) return;
      load().then(
        (found) => {
          loaded = found;
          setState(found);
        },
        () => setState("failed"),
      );
    }, []);
    if (typeof state === "object") return <state.view {...props} />;
    return (
      <main class="calls">
        {state === "loading" ? (
          <p class="soft" role="status">
            Opening…
          </p>
        ) : (
          <p class="notice" role="alert">
            This view could not be loaded. Check your connection, then reload the page.
          </p>
        )}
      </main>
    );
  };
};
