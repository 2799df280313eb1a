/**
 * Loaded before React. Where there is `console.createTask`, React makes a task with every element, for the call stacks of a debugger; nobody looks
 * at one here, and it took a third of the time in which elements are made.
 */
Reflect.deleteProperty(console, 'createTask');
