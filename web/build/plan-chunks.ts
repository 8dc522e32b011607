/** One script of a build that is cut by nothing but who imports what. */
export interface CutChunk {
  file: string
  name: string
  /** A document’s first script, or a part that is imported when it is needed: it stays a file of its own. */
  isEntry: boolean
  imports: string[]
  modules: string[]
  /** As it travels (gzip). */
  bytes: number
}

export interface PlanOptions {
  /** Files that somebody waits for before anything is seen: they never load more for the sake of fewer requests. */
  documents: string[]
  /** Those of `documents` that every part is opened over; the last one takes along what most parts load. */
  base: string[]
  /** The share of the parts from which on that is so. */
  mostParts: number
  /** How many bytes one request less is worth. */
  requestBytes: number
  /** How many bytes a part may load over the base. */
  limitOf(file: string): number
}

interface Group {
  chunks: CutChunk[]
  bytes: number
  isEntry: boolean
  /** The documents that load it, as bits. */
  documents: number
  /** By part, 1 where it loads this. */
  parts: Uint8Array
  imports: Set<Group>
}

/**
 * The name of the file that each module travels in. Two files become one where the requests that are saved are worth more than the bytes
 * that some parts then load in vain; never so that two files need each other, nor so that a part comes over its limit. A module that is
 * not named stays where it is.
 */
export function planChunks(chunks: CutChunk[], options: PlanOptions): Map<string, string> {
  const { groups, weights, limits } = graphOf(chunks, options)
  for (let changed = true; changed; ) {
    changed = false
    const touched = new Set<Group>()
    for (const { a, b } of worthwhile(groups, options.requestBytes)) {
      if (touched.has(a) || touched.has(b) || leadsTo(a, b) || leadsTo(b, a)) continue
      const added = addedBy(a, b)
      const heavier = weights.map((weight, part) => weight + (added[part] ?? 0))
      if (heavier.some((weight, part) => weight > Math.max(limits[part] ?? 0, weights[part] ?? 0))) continue
      weights.splice(0, weights.length, ...heavier)
      for (const group of join(groups, a, b)) touched.add(group)
      changed = true
    }
  }
  return named(groups)
}

function graphOf(chunks: CutChunk[], { documents, base, mostParts, limitOf }: PlanOptions) {
  const byFile = new Map(chunks.map((chunk) => [chunk.file, chunk]))
  const loadedBy = (file: string, seen = new Set<string>()): Set<string> => {
    const chunk = byFile.get(file)
    if (!chunk || seen.has(file)) return seen
    seen.add(file)
    for (const imported of chunk.imports) loadedBy(imported, seen)
    return seen
  }
  const parts = chunks
    .filter(({ isEntry, file }) => isEntry && !documents.includes(file))
    .map(({ file }) => ({ file, loads: loadedBy(file) }))
  const ofMost = chunks
    .filter(({ isEntry, file }) => {
      return !isEntry && parts.filter(({ loads }) => loads.has(file)).length >= mostParts * parts.length
    })
    .map(({ file }) => file)
  const ofDocuments = documents.map((file) => new Set([...loadedBy(file), ...(file === base.at(-1) ? ofMost : [])]))
  const ofBase = new Set(
    ofDocuments.filter((_, index) => base.includes(documents[index] ?? '')).flatMap((of) => [...of]),
  )

  const groupOf = new Map<string, Group>()
  for (const chunk of chunks) {
    const { file, bytes, isEntry } = chunk
    groupOf.set(file, {
      chunks: [chunk],
      bytes,
      isEntry,
      documents: ofDocuments.reduce((bits, of, index) => (of.has(file) ? bits | (1 << index) : bits), 0),
      parts: Uint8Array.from(parts, ({ loads }) => Number(ofBase.has(file) || loads.has(file))),
      imports: new Set(),
    })
  }
  for (const group of groupOf.values())
    for (const file of group.chunks.flatMap(({ imports }) => imports)) {
      const imported = groupOf.get(file)
      if (imported) group.imports.add(imported)
    }
  const bytesOf = (file: string) => (ofBase.has(file) ? 0 : (byFile.get(file)?.bytes ?? 0))
  return {
    groups: new Set(groupOf.values()),
    weights: parts.map(({ loads }) => [...loads].reduce((sum, file) => sum + bytesOf(file), 0)),
    limits: parts.map(({ file }) => limitOf(file)),
  }
}

/** Pairs that would better be one file, the most worth first. */
function worthwhile(groups: Set<Group>, requestBytes: number): { a: Group; b: Group }[] {
  const free = [...groups].filter(({ isEntry }) => !isEntry)
  const needed = new Map(free.map((group) => [group, [...neededBy(group)].filter(({ parts }) => parts.includes(0))]))
  const pairs: { a: Group; b: Group; gain: number }[] = []
  for (const [index, a] of free.entries()) {
    for (const b of free.slice(index + 1)) {
      if (a.documents !== b.documents) continue
      const saved = requestBytes * a.parts.reduce((sum, loads, part) => sum + (loads & (b.parts[part] ?? 0)), 0)
      if (saved === 0) continue
      const gain = saved - bytesInVain(a, needed.get(b) ?? []) - bytesInVain(b, needed.get(a) ?? [])
      if (gain > 0) pairs.push({ a, b, gain })
    }
  }
  return pairs.toSorted((one, other) => other.gain - one.gain)
}

/** What the parts that load `group` would load more if they needed `others` too. */
function bytesInVain(group: Group, others: Group[]): number {
  return others.reduce((sum, other) => {
    let parts = 0
    for (let part = 0; part < group.parts.length; part++) if (group.parts[part] && !other.parts[part]) parts++
    return sum + parts * other.bytes
  }, 0)
}

function neededBy(group: Group, seen = new Set<Group>()): Set<Group> {
  if (seen.has(group)) return seen
  seen.add(group)
  for (const imported of group.imports) neededBy(imported, seen)
  return seen
}

/** By part, the bytes it loads more once the two are one file. */
function addedBy(a: Group, b: Group): number[] {
  const [ofA, ofB] = [[...neededBy(a)], [...neededBy(b)]]
  return Array.from(a.parts, (loads, part) => {
    if (Boolean(loads) === Boolean(b.parts[part])) return 0
    return (loads ? ofB : ofA).reduce((sum, { parts, bytes }) => sum + (parts[part] ? 0 : bytes), 0)
  })
}

/** By way of a third one: as one file, that and they would need each other. */
function leadsTo(from: Group, to: Group): boolean {
  const seen = new Set<Group>()
  for (const imported of from.imports) if (imported !== to) neededBy(imported, seen)
  return seen.has(to)
}

/** Makes `b` part of `a`, and says whose parts are others since. */
function join(groups: Set<Group>, a: Group, b: Group): Set<Group> {
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

/** Each file by the largest of what it was made of. */
function named(groups: Set<Group>): Map<string, string> {
  const times = new Map<string, number>()
  const plan = new Map<string, string>()
  for (const { chunks } of groups) {
    if (chunks.length === 1) continue
    const { name } = chunks.reduce((largest, chunk) => (chunk.bytes > largest.bytes ? chunk : largest))
    const before = times.get(name) ?? 0
    times.set(name, before + 1)
    for (const module of chunks.flatMap(({ modules }) => modules)) plan.set(module, before ? `${name}-${before}` : name)
  }
  return plan
}
