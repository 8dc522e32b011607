/** As a text area has them; imported texts and those of other programs can have the line endings of Windows. */
export const normalizeLineEndings = (text: string): string => text.replace(/\r\n?/g, '\n')
