import { AsyncLocalStorage } from 'node:async_hooks';

/** Variables of the function whose code is running, on top of the process's own. */
const current = new AsyncLocalStorage<Record<string, string>>();

/** Runs `work` so that all its code, also after awaits, sees `variables` in process.env. What it sets stays in `variables`. */
export function withVariables<T>(variables: Record<string, string>, work: () => T): T {
  return current.run(variables, work);
}

let users = 0;
let original: NodeJS.ProcessEnv | undefined;

/**
 * Makes process.env answer per function until the returned release is called. Several stacks in one process share it.
 */
export function shareProcessEnvironment(): () => void {
  users += 1;
  if (users === 1) {
    original = process.env;
    process.env = perFunction(original);
  }
  let released = false;
  return () => {
    if (released) return;
    released = true;
    users -= 1;
    if (users === 0 && original) process.env = original;
  };
}

function perFunction(base: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return new Proxy(base, {
    get: (target, name) => own(name) ?? Reflect.get(target, name),
    has: (target, name) => own(name) !== undefined || Reflect.has(target, name),
    // Without this trap an assignment arrives as a property definition, which process.env refuses.
    set(target, name, value) {
      const variables = current.getStore();
      if (variables && typeof name === 'string') variables[name] = String(value);
      else target[String(name)] = value;
      return true;
    },
    deleteProperty(target, name) {
      const variables = current.getStore();
      if (variables && typeof name === 'string' && name in variables) return delete variables[name];
      return Reflect.deleteProperty(target, name);
    },
    ownKeys: (target) => [...new Set([...Reflect.ownKeys(target), ...Object.keys(current.getStore() ?? {})])],
    getOwnPropertyDescriptor(target, name) {
      const value = own(name);
      if (value === undefined) return Reflect.getOwnPropertyDescriptor(target, name);
      return { value, writable: true, enumerable: true, configurable: true };
    },
  });
}

function own(name: string | symbol): string | undefined {
  const variables = current.getStore();
  return variables && typeof name === 'string' && Object.hasOwn(variables, name) ? variables[name] : undefined;
}
