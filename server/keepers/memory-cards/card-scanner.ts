import { handleThreadJobs } from '#server/threads/handle-thread-jobs.ts'
import { BinaryVectors } from './binary-vectors.ts'

export type ScannerJob =
  | { kind: 'add'; set: string; width: number; ids: string[]; signBits: Uint8Array }
  | { kind: 'drop'; set: string }
  | { kind: 'find-nearest'; set: string; signBits: Uint8Array; count: number }

export interface ScannerReply {
  ids?: string[]
  size?: number
}

const vectorSets = new Map<string, BinaryVectors>()
handleThreadJobs(handleJob)

function handleJob(job: ScannerJob): ScannerReply {
  if (job.kind === 'drop') {
    vectorSets.delete(job.set)
    return {}
  }
  if (job.kind === 'find-nearest') {
    const set = vectorSets.get(job.set)
    return { ids: set?.findNearest(job.signBits, job.count) ?? [], size: set?.size ?? 0 }
  }
  let set = vectorSets.get(job.set)
  if (!set) {
    set = new BinaryVectors(job.width)
    vectorSets.set(job.set, set)
  }
  for (const [index, card] of job.ids.entries())
    set.put(card, job.signBits.subarray(index * job.width, (index + 1) * job.width))
  return { size: set.size }
}
