export const sampleKeeperTitle = 'Sample: the harbour year'
export const sampleKeeperPurpose =
  'A sample to try everything in: invented moments, reflections, cards, beliefs, echoes and a standing story.'

export interface SampleMoment {
  daysAgo: number
  time: string
  body: string
  topics: readonly string[]
  mood?: number
  place?: string
  pinned?: true
  waypoint?: 'keel' | 'launch'
}

export const samplePlaces: Readonly<Record<string, { lat: number; lng: number }>> = {
  'The quay': { lat: 60.397, lng: 5.322 },
  'The slip': { lat: 60.401, lng: 5.309 },
}

export const sampleMoments: readonly SampleMoment[] = [
  {
    daysAgo: 1,
    time: '07:40',
    body: 'First frost on the rope ladder. Counted eleven cormorants from the window before the coffee was done.',
    topics: ['Mornings'],
    mood: 1,
  },
  {
    daysAgo: 2,
    time: '18:05',
    body: 'The ferry was late, so Per and I ate the cardamom buns on the quay with our gloves on. He told me about the flat in Bergen. I think he is going to take it.',
    topics: ['Per'],
    mood: 0,
    place: 'The quay',
    pinned: true,
  },
  {
    daysAgo: 5,
    time: '12:20',
    body: 'Mother’s handwriting on the jam labels. I had forgotten that she wrote her sevens with a bar.',
    topics: ['Mother'],
    mood: -1,
  },
  {
    daysAgo: 9,
    time: '20:15',
    body: 'Choir. We sang the slow one twice, and the second time nobody came in early.',
    topics: ['Choir'],
    mood: 2,
  },
  {
    daysAgo: 13,
    time: '09:30',
    body: 'She floats. Back in the water after three weekends of dust, and not a drop in the bilge.',
    topics: ['The boat'],
    mood: 2,
    place: 'The slip',
    pinned: true,
    waypoint: 'launch',
  },
  {
    daysAgo: 18,
    time: '21:10',
    body: 'Ida left the lamp on in the kitchen again. I stood there with the kettle and decided not to turn it off.',
    topics: ['Ida'],
    mood: 1,
  },
  {
    daysAgo: 22,
    time: '16:45',
    body: 'Dust to the elbows. The keel is scraped on one side, and Per says the other side is the easy one.',
    topics: ['The boat', 'Per'],
    mood: 1,
    waypoint: 'keel',
  },
  {
    daysAgo: 29,
    time: '17:02',
    body: 'What the harbour sounds like at five: one halyard, one gull, nobody.',
    topics: ['Mornings'],
  },
]

export const sampleYearAgoMoment = {
  time: '16:30',
  body: 'Moved the writing desk to the north window. The light is worse and I like it better.',
  mood: 1,
} as const

export interface SampleReflection {
  name: string
  hoursAgo: number
  topic: string | null
  content: string
  isPromoted?: true
  isHidden?: true
}

export const sampleReflections: readonly SampleReflection[] = [
  {
    name: 'flat',
    hoursAgo: 5,
    topic: 'Per',
    content:
      'He has until Wednesday. I said what one says. Walking home I noticed that I was already deciding which of his cups I would ask for, and I was ashamed of it, and then I was not.',
  },
  {
    name: 'choir',
    hoursAgo: 40,
    topic: 'Choir',
    content: 'I have thought since about *nobody coming in early* as a way to live.',
  },
  {
    name: 'wind',
    hoursAgo: 90,
    topic: 'The boat',
    content:
      'Reef when you first think of it. Per says this about wind, and I have begun to hear it about everything else: the letter, the visit, the word one is about to take back.',
  },
  {
    name: 'waving',
    hoursAgo: 200,
    topic: 'Mother',
    content:
      'She waved at the bend, where I could not see her, because that was where she thought I looked. I look there now.',
    isPromoted: true,
  },
  {
    name: 'lamp',
    hoursAgo: 330,
    topic: 'Ida',
    content: 'The lamp Ida leaves on is not forgetfulness. It is how she says goodnight to the house.',
    isPromoted: true,
  },
]

export const sampleVoiceEntry = {
  daysAgo: 15,
  label: 'Staying',
  belief: 'The one who stays stands at the door until the car is gone, and then a little longer.',
  strength: 4,
}

export const sampleLogbookEntry = {
  label: 'The one who mends',
  entry: 'I scraped a keel and put a boat back into the water. I had not known that I was somebody who does that.',
  category: 'Work',
  tags: ['boat', 'hands'],
  daysAgo: 13,
}

export const sampleEchoes = {
  ready: { message: 'You said you would sail once before the ice. Did you?', dueInHours: -2 },
  sealed: {
    message: 'Whatever Per decided, you were glad for him first, and sad for yourself after.',
    dueInHours: 40 * 24,
  },
}

export const sampleJourney = {
  title: 'The crossing',
  purpose: 'To sail to the outer island once, in a boat I mended myself.',
  path: 'By sea',
  waypoints: [
    { name: 'keel', title: 'The keel is scraped', note: 'Three weekends of dust.' },
    { name: 'launch', title: 'Back in the water', note: '' },
    { name: 'island', title: 'The outer island', note: 'With the first steady wind of spring.' },
  ],
} as const

/** Quotes match their sources letter for letter. */
export const sampleStatements = [
  {
    text: 'You stay, and you have learned to do it well.',
    source: 'voice',
    quote: 'stands at the door until the car is gone',
  },
  {
    text: 'You notice how people say goodnight without saying it.',
    source: 'lamp',
    quote: 'It is how she says goodnight to the house.',
  },
  {
    text: 'You look for your mother where she thought you looked.',
    source: 'waving',
    quote: 'I look there now.',
  },
] as const
