import { registerHooks } from 'node:module'

/** Text of a source file that is replaced when a server is started with it: what a control plants. */
export interface Defect {
  /** End of the file's path, as `server/db/sqlite-files.ts`. */
  file: string
  from: string
  to: string
}

/** For `node --import`: it reaches the threads of the process, too, which get no environment. */
export function plantedAs(defect: Defect): string {
  const address = new URL(import.meta.url)
  address.searchParams.set('defect', JSON.stringify(defect))
  return address.href
}

const planted = new URL(import.meta.url).searchParams.get('defect')
if (planted) {
  const { file, from, to } = JSON.parse(planted) as Defect
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context)
      if (!url.endsWith(file)) return loaded
      const source = String(loaded.source)
      // A control over text that is not there any more would hold for nothing.
      if (!source.includes(from)) throw new Error(`${file} has no "${from}" to plant the defect in`)
      return { ...loaded, source: source.replaceAll(from, to) }
    },
  })
}
