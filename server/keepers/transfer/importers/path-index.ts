/** Finds files by the paths in notes: exact, relative to the note, or a unique path suffix. */
export class PathIndex {
  readonly #paths = new Map<string, string>()
  readonly #byName = new Map<string, string[]>()

  constructor(paths: Iterable<string>) {
    for (const path of paths) {
      const key = toKey(path)
      this.#paths.set(key, path)
      const name = key.slice(key.lastIndexOf('/') + 1)
      const namesakes = this.#byName.get(name)
      if (namesakes) namesakes.push(path)
      else this.#byName.set(name, [path])
    }
  }

  /** @param from the path of the note that mentions `target` */
  find(target: string, from: string): string | undefined {
    const key = toKey(target)
    const folder = from.slice(0, from.lastIndexOf('/') + 1)
    return (
      this.#paths.get(toKey(resolvePath(folder, key))) ??
      this.#paths.get(resolvePath('', key)) ??
      this.#findByEnd(resolvePath('', key), toKey(folder))
    )
  }

  /** Prefers files nearest to the note, then the shortest path, as Obsidian does. */
  #findByEnd(key: string, folder: string): string | undefined {
    const name = key.slice(key.lastIndexOf('/') + 1)
    let bestPath: string | undefined
    for (const path of (this.#byName.get(name) ?? []).slice(0, maxCandidates)) {
      if (!`/${toKey(path)}`.endsWith(`/${key}`)) continue
      if (bestPath === undefined || getRank(path, folder) < getRank(bestPath, folder)) bestPath = path
    }
    return bestPath
  }
}

const maxCandidates = 1000

const toKey = (path: string) => path.normalize('NFC').toLowerCase()

/** Larger than the length of any path. */
const otherFolderPenalty = 1_000_000

const getRank = (path: string, folder: string) =>
  (toKey(path).startsWith(folder) ? 0 : otherFolderPenalty) + path.length

/** Resolves `.` and `..`; the result stays below the root. */
function resolvePath(folder: string, relative: string): string {
  const parts: string[] = []
  for (const part of `${relative.startsWith('/') ? '' : folder}/${relative}`.split('/'))
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  return parts.join('/')
}
