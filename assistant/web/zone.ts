import { createContext } from "preact";

/** The zone in which the page shows every time: that of the organization, UTC while nobody is signed in. */
export const Zone = createContext("UTC");
