import { dayMs } from '#server/values/time-units.ts'

/** The id is stored with the moment that answers a prompt. */
const dayPrompts: [id: string, prompt: string][] = [
  ['worth-keeping', 'What is worth keeping from today?'],
  ['small-thing', 'What small thing would you have missed a year ago?'],
  ['who', 'Who was in your day, and what did they say?'],
  ['heard', 'What did today sound like?'],
  ['hands', 'What did your hands do today?'],
  ['changed-mind', 'What did you change your mind about?'],
  ['left-undone', 'What did you leave undone, and is that all right?'],
  ['light', 'Where was the light good today?'],
  ['kindness', 'What kindness came your way, or went out from you?'],
  ['harder', 'What was harder than it should have been?'],
  ['tell', 'What would you tell someone who knows you well?'],
  ['again', 'What would you like to happen again?'],
  ['learned', 'What do you know tonight that you did not know this morning?'],
  ['body', 'How did your body carry you today?'],
]

export function getDayPrompt(date: string): { promptId: string; prompt: string } {
  const day = Math.floor(Date.parse(date) / dayMs)
  const [promptId, prompt] = dayPrompts[((day % dayPrompts.length) + dayPrompts.length) % dayPrompts.length] as [
    string,
    string,
  ]
  return { promptId, prompt }
}
