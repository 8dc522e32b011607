/** The text of a refusal except for its request id, which differs each time. */
export const withoutRequestId = (text: string) => text.replace(/"requestId":"\w+"/, '')
