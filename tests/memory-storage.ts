/** In-memory replacement for `localStorage` and `sessionStorage`; its entries are enumerable, as in a browser. */
export function createMemoryStorage(entries = new Map<string, string>()): Storage {
  const methods = {
    getItem: (name: string) => entries.get(name) ?? null,
    setItem: (name: string, value: string) => void entries.set(name, value),
    removeItem: (name: string) => void entries.delete(name),
  }
  return new Proxy(Object.create(methods), {
    get: (target, name) => target[name] ?? entries.get(String(name)),
    ownKeys: () => [...entries.keys()],
    getOwnPropertyDescriptor: (_target, name) =>
      entries.has(String(name))
        ? { value: entries.get(String(name)), enumerable: true, configurable: true }
        : undefined,
  })
}
