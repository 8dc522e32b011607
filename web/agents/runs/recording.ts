import { audioOutput } from '#contract/agents/runs.ts'

export interface AudioReference {
  url: string
}

const audioPathPattern = /^\/api\/kip\/runs\/([\w-]{1,64})\/audio$/

/** Accepts only recordings on our own server, so that an answer can't make the page call elsewhere. */
export function findRecording(output: unknown): AudioReference | undefined {
  const parsed = audioOutput.safeParse(output)
  if (parsed.success && audioPathPattern.test(parsed.data.url)) return { url: parsed.data.url }
}

export function getRecordingRunId({ url }: AudioReference): string {
  return audioPathPattern.exec(url)?.[1] ?? ''
}
