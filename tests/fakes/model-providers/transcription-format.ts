import type { FakeAnswer, ProviderFormat } from './provider-format.ts'

const defaultTranscript = 'I keep my word, even when nobody looks.'
const durationSeconds = 8.47

/** Transcriptions of OpenAI and Together as `verbose_json`; errors use the provider's format. */
export function createTranscriptionFormat(format: ProviderFormat, hasAnswer: boolean): ProviderFormat {
  return {
    ...format,
    contentType: 'application/json',
    formatBody: ({ tokens }: FakeAnswer) => {
      const text = hasAnswer ? tokens.join('') : defaultTranscript
      return JSON.stringify({
        task: 'transcribe',
        language: 'english',
        duration: durationSeconds,
        text,
        segments: [
          { id: 0, seek: 0, start: 0, end: durationSeconds, text: ` ${text}`, tokens: [50364], temperature: 0 },
        ],
        usage: { type: 'duration', seconds: Math.ceil(durationSeconds) },
      })
    },
  }
}

/** The text of a field in a multipart body. */
export function getMultipartField(body: unknown, name: string): string | undefined {
  return typeof body === 'string' ? new RegExp(`name="${name}"\r\n\r\n([^\r]*)\r\n`).exec(body)?.[1] : undefined
}
