import { registerHooks } from 'node:module'

export interface Defect {
  file: string
  from: string
  to: string
}

/** A URL for `node --import`, which also reaches worker threads. */
export function createDefectUrl(defect: Defect): string {
  const address = new URL(import.meta.url)
  address.searchParams.set('defect', JSON.stringify(defect))
  return address.href
}

const defectJson = new URL(import.meta.url).searchParams.get('defect')
if (defectJson) {
  const { file, from, to } = JSON.parse(defectJson) as Defect
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context)
      if (!url.endsWith(file)) return loaded
      const source = String(loaded.source)
      // A control without its defect would prove nothing.
      if (!source.includes(from)) throw new Error(`${file} has no "${from}" to plant the defect in`)
      return { ...loaded, source: source.replaceAll(from, to) }
    },
  })
}
