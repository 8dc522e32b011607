import type { Page } from '@playwright/test'

/** Number of sealed entries in an object store; only the page can decrypt them. */
export function keptInBrowser(page: Page, shelf: 'drafts' | 'reads'): Promise<number> {
  return page.evaluate(async (name) => {
    let count = 0
    for (const { name: database } of await indexedDB.databases()) {
      if (!database?.startsWith('keeper-')) continue
      const asked = <Result>(request: IDBRequest<Result>) =>
        new Promise<Result>((resolve, reject) => {
          request.onsuccess = () => resolve(request.result)
          request.onerror = () => reject(request.error)
        })
      const db = await asked(indexedDB.open(database))
      count += await asked(db.transaction(name).objectStore(name).count())
      db.close()
    }
    return count
  }, shelf)
}
