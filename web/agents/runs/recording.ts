import { audioOutput } from '#contract/agents/runs.ts'

export interface Audio {
  url: string
}

const address = /^\/api\/kip\/runs\/([\w-]{1,64})\/audio$/

/** Accepts only recordings on our own server, so that an answer can't make the page call elsewhere. */
export function audioIn(output: unknown): Audio | undefined {
  const parsed = audioOutput.safeParse(output)
  if (parsed.success && address.test(parsed.data.url)) return { url: parsed.data.url }
}

export function runOf({ url }: Audio): string {
  return address.exec(url)?.[1] ?? ''
}
