import { audioOutput } from '#contract/agents/runs.ts'

export interface Audio {
  url: string
}

const address = /^\/api\/kip\/runs\/([\w-]{1,64})\/audio$/

/** An elevenlabs run answers with sound instead of words. Only what our own server keeps counts: an answer must not make the page call elsewhere. */
export function audioIn(output: unknown): Audio | undefined {
  const parsed = audioOutput.safeParse(output)
  if (parsed.success && address.test(parsed.data.url)) return { url: parsed.data.url }
}

/** The id of the run whose recording it is. */
export function runOf({ url }: Audio): string {
  return address.exec(url)?.[1] ?? ''
}
