export interface CutChunk {
  file: string
  name: string
  /** A document’s first script or a lazily imported part: it stays a file of its own. */
  isEntry: boolean
  imports: string[]
  modules: string[]
  /** Gzipped. */
  bytes: number
}

export interface PlanOptions {
  /** Files needed before the first paint: they never load more bytes to save requests. */
  documents: string[]
  /** Those of `documents` that every part opens on; the last one takes the files that most parts load. */
  base: string[]
  /** The share of parts that makes a file common. */
  commonPartShare: number
  /** The bytes that one saved request is worth. */
  requestBytes: number
  /** The bytes that a part can load beyond the base. */
  getLimit(file: string): number
}

interface ChunkGroup {
  chunks: CutChunk[]
  bytes: number
  isEntry: boolean
  /** The documents that load it, as a bit set. */
  documents: number
  /** By part: 1 if it loads this. */
  parts: Uint8Array
  imports: Set<ChunkGroup>
}

/** Merges files when saved requests outweigh unneeded bytes, without import cycles. Missing modules stay in place. */
export function planChunks(chunks: CutChunk[], options: PlanOptions): Map<string, string> {
  const { groups, weights, limits } = buildGraph(chunks, options)
  for (let changed = true; changed; ) {
    changed = false
    const touched = new Set<ChunkGroup>()
    for (const { a, b } of worthwhile(groups, options.requestBytes)) {
      if (touched.has(a) || touched.has(b) || leadsTo(a, b) || leadsTo(b, a)) continue
      const added = getAddedBytes(a, b)
      const heavier = weights.map((weight, part) => weight + (added[part] ?? 0))
      if (heavier.some((weight, part) => weight > Math.max(limits[part] ?? 0, weights[part] ?? 0))) continue
      weights.splice(0, weights.length, ...heavier)
      for (const group of join(groups, a, b)) touched.add(group)
      changed = true
    }
  }
  return named(groups)
}

function buildGraph(chunks: CutChunk[], { documents, base, commonPartShare, getLimit }: PlanOptions) {
  const byFile = new Map(chunks.map((chunk) => [chunk.file, chunk]))
  const loadedBy = (file: string, visited = new Set<string>()): Set<string> => {
    const chunk = byFile.get(file)
    if (!chunk || visited.has(file)) return visited
    visited.add(file)
    for (const imported of chunk.imports) loadedBy(imported, visited)
    return visited
  }
  const parts = chunks
    .filter(({ isEntry, file }) => isEntry && !documents.includes(file))
    .map(({ file }) => ({ file, loads: loadedBy(file) }))
  const commonFiles = chunks
    .filter(({ isEntry, file }) => {
      return !isEntry && parts.filter(({ loads }) => loads.has(file)).length >= commonPartShare * parts.length
    })
    .map(({ file }) => file)
  const ofDocuments = documents.map(
    (file) => new Set([...loadedBy(file), ...(file === base.at(-1) ? commonFiles : [])]),
  )
  const ofBase = new Set(
    ofDocuments.filter((_, index) => base.includes(documents[index] ?? '')).flatMap((files) => [...files]),
  )

  const groupByFile = new Map<string, ChunkGroup>()
  for (const chunk of chunks) {
    const { file, bytes, isEntry } = chunk
    groupByFile.set(file, {
      chunks: [chunk],
      bytes,
      isEntry,
      documents: ofDocuments.reduce((bits, files, index) => (files.has(file) ? bits | (1 << index) : bits), 0),
      parts: Uint8Array.from(parts, ({ loads }) => Number(ofBase.has(file) || loads.has(file))),
      imports: new Set(),
    })
  }
  for (const group of groupByFile.values())
    for (const file of group.chunks.flatMap(({ imports }) => imports)) {
      const imported = groupByFile.get(file)
      if (imported) group.imports.add(imported)
    }
  const getBytes = (file: string) => (ofBase.has(file) ? 0 : (byFile.get(file)?.bytes ?? 0))
  return {
    groups: new Set(groupByFile.values()),
    weights: parts.map(({ loads }) => [...loads].reduce((total, file) => total + getBytes(file), 0)),
    limits: parts.map(({ file }) => getLimit(file)),
  }
}

function worthwhile(groups: Set<ChunkGroup>, requestBytes: number): { a: ChunkGroup; b: ChunkGroup }[] {
  const free = [...groups].filter(({ isEntry }) => !isEntry)
  const needed = new Map(free.map((group) => [group, [...neededBy(group)].filter(({ parts }) => parts.includes(0))]))
  const pairs: { a: ChunkGroup; b: ChunkGroup; gain: number }[] = []
  for (const [index, a] of free.entries()) {
    for (const b of free.slice(index + 1)) {
      if (a.documents !== b.documents) continue
      const saved = requestBytes * a.parts.reduce((total, loads, part) => total + (loads & (b.parts[part] ?? 0)), 0)
      if (saved === 0) continue
      const gain = saved - bytesInVain(a, needed.get(b) ?? []) - bytesInVain(b, needed.get(a) ?? [])
      if (gain > 0) pairs.push({ a, b, gain })
    }
  }
  return pairs.toSorted((one, other) => other.gain - one.gain)
}

/** Extra bytes for parts that load `group` if they also load `otherGroups`. */
function bytesInVain(group: ChunkGroup, otherGroups: ChunkGroup[]): number {
  return otherGroups.reduce((total, other) => {
    let parts = 0
    for (let part = 0; part < group.parts.length; part++) if (group.parts[part] && !other.parts[part]) parts++
    return total + parts * other.bytes
  }, 0)
}

function neededBy(group: ChunkGroup, visited = new Set<ChunkGroup>()): Set<ChunkGroup> {
  if (visited.has(group)) return visited
  visited.add(group)
  for (const imported of group.imports) neededBy(imported, visited)
  return visited
}

function getAddedBytes(a: ChunkGroup, b: ChunkGroup): number[] {
  const [ofA, ofB] = [[...neededBy(a)], [...neededBy(b)]]
  return Array.from(a.parts, (loads, part) => {
    if (Boolean(loads) === Boolean(b.parts[part])) return 0
    return (loads ? ofB : ofA).reduce((total, { parts, bytes }) => total + (parts[part] ? 0 : bytes), 0)
  })
}

/** Merged, the two would form an import cycle with a third. */
function leadsTo(from: ChunkGroup, to: ChunkGroup): boolean {
  const visited = new Set<ChunkGroup>()
  for (const imported of from.imports) if (imported !== to) neededBy(imported, visited)
  return visited.has(to)
}

/** Merges `b` into `a` and returns the groups whose parts changed. */
function join(groups: Set<ChunkGroup>, a: ChunkGroup, b: ChunkGroup): Set<ChunkGroup> {
  const needed = neededBy(b, neededBy(a))
  const parts = a.parts.map((loads, part) => loads | (b.parts[part] ?? 0))
  for (const group of needed) group.parts = group.parts.map((loads, part) => loads | (parts[part] ?? 0))
  a.chunks.push(...b.chunks)
  a.bytes += b.bytes
  for (const imported of b.imports) a.imports.add(imported)
  groups.delete(b)
  for (const { imports } of groups) if (imports.delete(b)) imports.add(a)
  a.imports.delete(a)
  return needed
}

function named(groups: Set<ChunkGroup>): Map<string, string> {
  const times = new Map<string, number>()
  const plan = new Map<string, string>()
  for (const { chunks } of groups) {
    if (chunks.length === 1) continue
    const { name } = chunks.reduce((largest, chunk) => (chunk.bytes > largest.bytes ? chunk : largest))
    const usedCount = times.get(name) ?? 0
    times.set(name, usedCount + 1)
    for (const module of chunks.flatMap(({ modules }) => modules))
      plan.set(module, usedCount ? `${name}-${usedCount}` : name)
  }
  return plan
}
