import type { VoiceEntry } from '#contract/keepers/voice.ts'

const sampleEntries = [
  {
    label: 'Promises',
    belief: 'I keep my word, even when nobody looks. Especially then.',
    strength: 5,
    at: '2026-01-12T19:20:00.000Z',
    stillTrue: [
      { answer: true, note: null, at: '2026-03-02T08:10:00.000Z' },
      { answer: false, note: 'Not to somebody who does not ask me to.', at: '2026-06-21T20:45:00.000Z' },
    ],
  },
  {
    label: 'Asking for help',
    belief: 'Asking late costs more than asking badly.',
    strength: 3,
    at: '2026-02-03T07:05:00.000Z',
    stillTrue: [],
  },
  {
    label: 'The house',
    belief: 'A house is kept by whoever notices what is missing.',
    strength: null,
    at: '2026-03-18T21:40:00.000Z',
    stillTrue: [],
  },
]

export const createDemoVoice = (keeperId: string): VoiceEntry[] =>
  sampleEntries
    .map(({ at, ...fields }, index) => ({
      ...fields,
      id: `sample-voice-${index}`,
      keeperId,
      createdAt: at,
      updatedAt: at,
      rev: 1,
      agentId: 'demo-agent',
      aiVisible: true,
      audioId: null,
      durationMs: null,
      transcript: null,
      transcriptStatus: 'none' as const,
      transcriptError: null,
      language: null,
    }))
    .reverse()
