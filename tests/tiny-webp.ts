/** A WebP of one pixel. */
export const tinyWebp = {
  mime: 'image/webp',
  data: new Uint8Array(Buffer.from('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==', 'base64')),
}
