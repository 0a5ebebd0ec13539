/** Whether there is a mouse or the like: without one, a focus in a text box raises the keyboard over the page. */
export const hasPointer = (): boolean => matchMedia("(pointer: fine)").matches;
