import type { Page } from '@playwright/test'

/** Number of sealed entries in an object store; only the page can decrypt them. */
export function countStoredEntries(page: Page, storeName: 'drafts' | 'reads'): Promise<number> {
  return page.evaluate(async (name) => {
    let count = 0
    for (const { name: database } of await indexedDB.databases()) {
      if (!database?.startsWith('keeper-')) continue
      const toPromise = <Result>(request: IDBRequest<Result>) =>
        new Promise<Result>((resolve, reject) => {
          request.onsuccess = () => resolve(request.result)
          request.onerror = () => reject(request.error)
        })
      const db = await toPromise(indexedDB.open(database))
      count += await toPromise(db.transaction(name).objectStore(name).count())
      db.close()
    }
    return count
  }, storeName)
}
