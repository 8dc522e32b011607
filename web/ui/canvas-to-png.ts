/** What was drawn, as a file. @throws Error where the browser cannot make one so large */
export function canvasToPng(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((resolve, reject) =>
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error('The picture is too large to be made.'))),
      'image/png',
    ),
  )
}
