const writingPrompts = [
  'What did you almost say today, and to whom?',
  'What would you like to remember of this day in ten years?',
  'Which small thing did someone do that they will have forgotten by now?',
  'What has changed so slowly that you noticed only today?',
  'What are you waiting for?',
  'Which room were you happiest in this week?',
  'What did you learn from someone who was not teaching?',
  'What do you keep putting off, and what does it protect you from?',
  'Whose voice do you hear when you are hard on yourself?',
  'What would you like someone to take with them that is not an object?',
  'What did your hands do today?',
  'Which question would you rather not be asked?',
  'What did you see on the way that you have seen a hundred times?',
  'Where did you change your mind?',
  'What is easier than it was a year ago?',
  'Who were you with when you were most yourself?',
  'What did you let go of without noticing?',
  'What would the day look like, told by someone who likes you?',
  'What smells belong to the place you live in now?',
  'What do you owe no one an answer for?',
] as const

/** Deterministic per day, so that the first prompt doesn't change while someone is thinking. */
export function getPrompt(day: Date, step: number): string {
  const firstIndex = day.getFullYear() * 372 + day.getMonth() * 31 + day.getDate()
  return writingPrompts[(firstIndex + step) % writingPrompts.length] ?? writingPrompts[0]
}
