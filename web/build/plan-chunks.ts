export interface InputChunk {
  file: string
  name: string
  /** A document’s first script or a lazily imported part, which stays a separate file. */
  isEntry: boolean
  imports: string[]
  /** Files that it loads later. */
  dynamicImports: string[]
  modules: string[]
  /** Gzipped. */
  bytes: number
}

export interface PlanOptions {
  /** Files needed before the first paint: they never load more bytes to save requests. */
  documents: string[]
  /** The entries of `documents` that are loaded before any part. Files that most parts load go into the last one. */
  base: string[]
  /** The share of parts that makes a file common. */
  commonPartShare: number
  /** Files of at most this size are common with half of that share. */
  tinyBytes: number
  /** The bytes that one saved request is worth. */
  requestBytes: number
  /** The bytes that two merged files save: imports, exports and the gain from compressing them together. */
  mergeBytes: number
  /** The bytes that a part can load beyond the base. */
  getLimit(file: string): number
}

interface ChunkGroup {
  chunks: InputChunk[]
  bytes: number
  isEntry: boolean
  /** The documents that load it. */
  documentBits: number
  isAppEntry: boolean
  /** A document outside the base loads it before the first paint or later. */
  isForVisitors: boolean
  /** For each part, 1 if it loads this group. */
  parts: Uint8Array
  imports: Set<ChunkGroup>
}

/** Merges files when saved requests outweigh unneeded bytes, without import cycles. Missing modules stay in place. */
export function planChunks(chunks: InputChunk[], options: PlanOptions): Map<string, string> {
  const { groups, weights, limits } = buildGraph(chunks, options)
  for (let hasChanged = true; hasChanged; ) {
    hasChanged = false
    const changedGroups = new Set<ChunkGroup>()
    for (const { first, second } of findMergePairs(groups, options.requestBytes)) {
      if (
        changedGroups.has(first) ||
        changedGroups.has(second) ||
        wouldCreateCycle(first, second) ||
        wouldCreateCycle(second, first)
      )
        continue
      if (wouldStartApp(first, second)) continue
      const addedBytes = getAddedBytes(first, second, options.mergeBytes)
      const mergedWeights = weights.map((weight, part) => weight + (addedBytes[part] ?? 0))
      if (mergedWeights.some((weight, part) => weight > Math.max(limits[part] ?? 0, weights[part] ?? 0))) continue
      weights.splice(0, weights.length, ...mergedWeights)
      for (const group of mergeGroups(groups, first, second, options.mergeBytes)) changedGroups.add(group)
      hasChanged = true
    }
  }
  return nameGroups(groups)
}

function buildGraph(chunks: InputChunk[], { documents, base, commonPartShare, tinyBytes, getLimit }: PlanOptions) {
  const chunksByFile = new Map(chunks.map((chunk) => [chunk.file, chunk]))
  const collect = (file: string, { isLater }: { isLater: boolean }, visited = new Set<string>()): Set<string> => {
    const chunk = chunksByFile.get(file)
    if (!chunk || visited.has(file)) return visited
    visited.add(file)
    for (const imported of [...chunk.imports, ...(isLater ? chunk.dynamicImports : [])])
      collect(imported, { isLater }, visited)
    return visited
  }
  const collectImports = (file: string) => collect(file, { isLater: false })
  const parts = chunks
    .filter(({ isEntry, file }) => isEntry && !documents.includes(file))
    .map(({ file }) => ({ file, loads: collectImports(file) }))
  const commonFiles = chunks
    .filter(({ isEntry, file, bytes }) => {
      // A request costs more than such a file.
      const share = bytes <= tinyBytes ? commonPartShare / 2 : commonPartShare
      return !isEntry && parts.filter(({ loads }) => loads.has(file)).length >= share * parts.length
    })
    .map(({ file }) => file)
  const documentFiles = documents.map(
    (file) => new Set([...collectImports(file), ...(file === base.at(-1) ? commonFiles : [])]),
  )
  const baseFiles = new Set(
    documentFiles.filter((_, index) => base.includes(documents[index] ?? '')).flatMap((files) => [...files]),
  )
  const visitorFiles = new Set(
    documents.filter((file) => !base.includes(file)).flatMap((file) => [...collect(file, { isLater: true })]),
  )

  const groupByFile = new Map<string, ChunkGroup>()
  for (const chunk of chunks) {
    const { file, bytes, isEntry } = chunk
    groupByFile.set(file, {
      chunks: [chunk],
      bytes,
      isEntry,
      documentBits: documentFiles.reduce((bits, files, index) => (files.has(file) ? bits | (1 << index) : bits), 0),
      isAppEntry: base.includes(file),
      isForVisitors: visitorFiles.has(file),
      parts: Uint8Array.from(parts, ({ loads }) => Number(baseFiles.has(file) || loads.has(file))),
      imports: new Set(),
    })
  }
  for (const group of groupByFile.values())
    for (const file of group.chunks.flatMap(({ imports }) => imports)) {
      const imported = groupByFile.get(file)
      if (imported) group.imports.add(imported)
    }
  const getBytes = (file: string) => (baseFiles.has(file) ? 0 : (chunksByFile.get(file)?.bytes ?? 0))
  return {
    groups: new Set(groupByFile.values()),
    weights: parts.map(({ loads }) => [...loads].reduce((total, file) => total + getBytes(file), 0)),
    limits: parts.map(({ file }) => getLimit(file)),
  }
}

function findMergePairs(groups: Set<ChunkGroup>, requestBytes: number): { first: ChunkGroup; second: ChunkGroup }[] {
  const mergeableGroups = [...groups].filter(({ isEntry }) => !isEntry)
  const requiredGroups = new Map(
    mergeableGroups.map((group) => [group, [...collectRequired(group)].filter(({ parts }) => parts.includes(0))]),
  )
  const pairs: { first: ChunkGroup; second: ChunkGroup; gain: number }[] = []
  for (const [index, first] of mergeableGroups.entries()) {
    for (const second of mergeableGroups.slice(index + 1)) {
      if (first.documentBits !== second.documentBits) continue
      const savedBytes =
        requestBytes * first.parts.reduce((total, loads, part) => total + (loads & (second.parts[part] ?? 0)), 0)
      if (savedBytes === 0) continue
      const gain =
        savedBytes -
        countUnneededBytes(first, requiredGroups.get(second) ?? []) -
        countUnneededBytes(second, requiredGroups.get(first) ?? [])
      if (gain > 0) pairs.push({ first, second, gain })
    }
  }
  return pairs.toSorted((left, right) => right.gain - left.gain)
}

/** Extra bytes for parts that load `group` if they also load `otherGroups`. */
function countUnneededBytes(group: ChunkGroup, otherGroups: ChunkGroup[]): number {
  return otherGroups.reduce((total, otherGroup) => {
    let partCount = 0
    for (let part = 0; part < group.parts.length; part++) if (group.parts[part] && !otherGroup.parts[part]) partCount++
    return total + partCount * otherGroup.bytes
  }, 0)
}

function collectRequired(group: ChunkGroup, visited = new Set<ChunkGroup>()): Set<ChunkGroup> {
  if (visited.has(group)) return visited
  visited.add(group)
  for (const imported of group.imports) collectRequired(imported, visited)
  return visited
}

function getAddedBytes(first: ChunkGroup, second: ChunkGroup, mergeBytes: number): number[] {
  const [requiredByFirst, requiredBySecond] = [[...collectRequired(first)], [...collectRequired(second)]]
  return Array.from(first.parts, (loads, part) => {
    if (!loads && !second.parts[part]) return 0
    const required = loads ? requiredBySecond : requiredByFirst
    return required.reduce((total, { parts, bytes }) => total + (parts[part] ? 0 : bytes), -mergeBytes)
  })
}

/** Merged, the two would form an import cycle with a third. */
function wouldCreateCycle(from: ChunkGroup, to: ChunkGroup): boolean {
  const visited = new Set<ChunkGroup>()
  for (const imported of from.imports) if (imported !== to) collectRequired(imported, visited)
  return visited.has(to)
}

/** Merged, a visitor’s page would import the app’s entry and so start the app. */
function wouldStartApp(first: ChunkGroup, second: ChunkGroup): boolean {
  if (!first.isForVisitors && !second.isForVisitors) return false
  return [...collectRequired(second, collectRequired(first))].some(({ isAppEntry }) => isAppEntry)
}

/** Merges `merged` into `target` and returns the groups whose parts changed. */
function mergeGroups(
  groups: Set<ChunkGroup>,
  target: ChunkGroup,
  merged: ChunkGroup,
  mergeBytes: number,
): Set<ChunkGroup> {
  const needed = collectRequired(merged, collectRequired(target))
  const parts = target.parts.map((loads, part) => loads | (merged.parts[part] ?? 0))
  const isForVisitors = target.isForVisitors || merged.isForVisitors
  for (const group of needed) {
    group.parts = group.parts.map((loads, part) => loads | (parts[part] ?? 0))
    group.isForVisitors ||= isForVisitors
  }
  target.chunks.push(...merged.chunks)
  target.bytes += merged.bytes - mergeBytes
  for (const imported of merged.imports) target.imports.add(imported)
  groups.delete(merged)
  for (const { imports } of groups) if (imports.delete(merged)) imports.add(target)
  target.imports.delete(target)
  return needed
}

function nameGroups(groups: Set<ChunkGroup>): Map<string, string> {
  const nameCounts = new Map<string, number>()
  const plan = new Map<string, string>()
  for (const { chunks } of groups) {
    if (chunks.length === 1) continue
    const { name } = chunks.reduce((largest, chunk) => (chunk.bytes > largest.bytes ? chunk : largest))
    const usedCount = nameCounts.get(name) ?? 0
    nameCounts.set(name, usedCount + 1)
    for (const module of chunks.flatMap(({ modules }) => modules))
      plan.set(module, usedCount ? `${name}-${usedCount}` : name)
  }
  return plan
}
