export const apology = 'I apologize, but I encountered an error processing your request. Please try again.'

export const emptyAnswer = 'I processed your request successfully.'
