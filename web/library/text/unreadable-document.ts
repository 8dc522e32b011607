/** The message is for the person who opens the document. */
export class UnreadableDocument extends Error {
  override name = 'UnreadableDocument'
}
