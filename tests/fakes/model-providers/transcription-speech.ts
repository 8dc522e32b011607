import type { FakeAnswer, Speech } from './speech.ts'

const heard = 'I keep my word, even when nobody looks.'
const seconds = 8.47

/** Transcriptions of OpenAI and Together as `verbose_json`; errors use the provider's format. */
export function transcriptionSpeech(speech: Speech, answered: boolean): Speech {
  return {
    ...speech,
    contentType: 'application/json',
    whole: ({ words }: FakeAnswer) => {
      const text = answered ? words.join('') : heard
      return JSON.stringify({
        task: 'transcribe',
        language: 'english',
        duration: seconds,
        text,
        segments: [{ id: 0, seek: 0, start: 0, end: seconds, text: ` ${text}`, tokens: [50364], temperature: 0 }],
        usage: { type: 'duration', seconds: Math.ceil(seconds) },
      })
    },
  }
}

/** The text of a field in a multipart body. */
export function fieldOf(body: unknown, name: string): string | undefined {
  return typeof body === 'string' ? new RegExp(`name="${name}"\r\n\r\n([^\r]*)\r\n`).exec(body)?.[1] : undefined
}
