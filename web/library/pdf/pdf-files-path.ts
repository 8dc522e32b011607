/** Versioned, because everything under `/assets/` is cached for good. */
export const getPdfFilesPath = (version: string) => `/assets/pdfjs-${version}/`
