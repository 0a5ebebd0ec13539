import { defineConfig } from "vite";

/**
 * Everything is emitted as files of our own origin, nothing inlined as `data:`, so that the page works under
 * `default-src 'self'`. Vega arrives in a chunk of its own (about 0.8 MB), fetched when the first chart is drawn.
 */
export default defineConfig({
  root: import.meta.dirname,
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: "dist",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1_500,
    reportCompressedSize: false,
  },
});
