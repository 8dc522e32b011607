import type { SampleReflection } from './sample-story.ts'

/** Extends the sample story for the demo keepers, so that they show every state of an entry. */
export const demoReflections: readonly SampleReflection[] = [
  {
    name: 'week',
    hoursAgo: 20,
    topic: null,
    content:
      '## Things the harbour said this week\n\n- that the ferry is late when it is early\n- that gulls are *not* sentimental\n- that I could row out, if I wanted',
  },
  {
    name: 'gate',
    hoursAgo: 190,
    topic: 'The garden',
    content: 'The gate does not shut any more. I have decided that this is how it says it knows us.',
    isHidden: true,
  },
]

export interface DemoCard {
  name: string
  daysAgo: number
  topic: string | null
  content: string
  isPending?: true
  isHidden?: true
  isDraft?: true
}

export const demoCards: readonly DemoCard[] = [
  {
    name: 'flour',
    daysAgo: 4,
    topic: 'Father',
    content:
      'He measured flour in the blue cup and lied about it to everyone. The blue cup holds 1.3 of what a cup should hold. Every recipe we have from him is short of flour, and every one of them works.',
  },
  {
    name: 'manners',
    daysAgo: 5,
    topic: 'Staying',
    content:
      'There are manners for the one who stays: stand at the door until the car is gone, then a little longer. My mother had them. I am learning them late, from a woman who can no longer tell me whether I have them right.',
    isPending: true,
  },
  {
    name: 'reef',
    daysAgo: 6,
    topic: 'The boat',
    content: 'Reef when you first think of it, says Per. He has moved to Bergen now, and I reef earlier.',
    isHidden: true,
  },
  {
    name: 'sevens',
    daysAgo: 12,
    topic: 'Father',
    content:
      'Sevens with a bar, ones with a hat. The jam labels are the last of his handwriting and half of them have been eaten.',
    isPending: true,
  },
  {
    name: 'leaving',
    daysAgo: 20,
    topic: null,
    content: 'You often write about leaving on the days after somebody arrives.',
    isDraft: true,
  },
]

export const demoVoiceEntries = [
  {
    daysAgo: 80,
    label: 'Promises',
    belief: 'I keep my word, even when nobody looks. Especially then.',
    strength: 5,
    stillTrue: [
      { daysAgo: 50, answer: true, note: null },
      { daysAgo: 20, answer: false, note: 'Not to somebody who does not ask me to.' },
    ],
  },
  {
    daysAgo: 60,
    label: 'The house',
    belief: 'A house is kept by whoever notices what is missing.',
    strength: null,
    stillTrue: [],
  },
]

export const demoLogbookEntries = [
  {
    daysAgo: 200,
    label: 'First watch',
    entry: 'I took the night watch without being asked. I was tired and I was somebody.',
    category: 'Work',
    tags: ['harbour'],
    pinned: true,
  },
  {
    daysAgo: 400,
    label: 'Tenor, after all',
    entry: 'I am not a bass. I have known since the spring and now the choir knows too.',
    category: 'Voice',
    tags: ['choir'],
    pinned: false,
  },
]

export const demoEchoes = {
  conditional: { message: 'When you speak of the boat again: you were not afraid of it.', topic: 'The boat' },
  delivered: { message: 'The first winter here was longer than this one.', dueInHours: -60 * 24 },
}

export const demoPaths = [
  {
    name: 'with-father',
    title: 'With father aboard',
    state: 'open',
    waypoint: { title: 'Ask him', note: 'Before the summer, not after.' },
  },
  { name: 'sell', title: 'Sell the boat', state: 'not_taken', waypoint: { title: 'Have it valued', note: '' } },
] as const

export const demoGarden = { title: 'A garden from nothing', purpose: 'One bed in the first year.' }

/** The draft keeps the first statement of the sample story and decides about the others. */
export const demoDraftStatements = [
  {
    kind: 'change',
    replaces: 1,
    text: 'Per taught you to reef early, until he moved to Bergen.',
    source: 'reef',
    quote: 'He has moved to Bergen now, and I reef earlier.',
  },
  {
    kind: 'drop',
    replaces: 2,
    text: 'You look for your mother where she thought you looked.',
    source: 'manners',
    quote: 'from a woman who can no longer tell me whether I have them right',
  },
  {
    kind: 'add',
    replaces: null,
    text: 'You forgive a lie that makes every recipe work.',
    source: 'flour',
    quote: 'every one of them works',
  },
] as const

export const demoRejectedStatement = {
  text: 'You are a lonely person.',
  source: 'manners',
  quote: 'stand at the door until the car is gone',
  reason: 'Alone is not lonely. Keep to what I said.',
}

export const demoTopicDetails: Readonly<Record<string, { aliases: string[]; note: string }>> = {
  'The boat': { aliases: ['The old lady'], note: 'Everything about mending her.' },
}
