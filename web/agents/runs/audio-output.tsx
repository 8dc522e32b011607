interface Audio {
  url: string
  mime: string
}

/** An elevenlabs run answers with sound instead of words. */
export function audioIn(output: unknown): Audio | undefined {
  if (typeof output !== 'object' || output === null) return
  const { type, url, mime } = output as Record<string, unknown>
  // Only what our own server keeps: an answer must not make the page call elsewhere.
  if (type === 'audio' && typeof url === 'string' && /^\/(?!\/)/.test(url)) return { url, mime: String(mime ?? '') }
}

export function AudioOutput({ audio }: { audio: Audio }) {
  // biome-ignore lint/a11y/useMediaCaption: the words spoken are the input beside it
  return <audio controls preload="metadata" src={audio.url} className="mb-3 w-full max-w-md" />
}
