/** What stands in a chat where an answer failed without a word (seed 001 §8). */
export const apology = 'I apologize, but I encountered an error processing your request. Please try again.'

/** What stands there where an answer came without text, as seed clients show it. */
export const emptyAnswer = 'I processed your request successfully.'
