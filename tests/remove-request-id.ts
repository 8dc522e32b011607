/** The text of a refusal except for its request id, which differs each time. */
export const removeRequestId = (text: string) => text.replace(/"requestId":"\w+"/, '')
