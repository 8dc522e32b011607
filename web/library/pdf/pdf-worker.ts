import 'pdfjs-dist/build/pdf.worker.min.mjs'

/** pdf.js leaves out pictures that it can't decode, and only warns about them. */
const missingPicturePattern =
  /Unable to decode (?:inline )?image|Image exceeded maximum|Image dimensions are missing|ignoring XObject/

console.warn = (message: unknown) => {
  if (missingPicturePattern.test(String(message))) postMessage({ missingPicture: true })
}
