/** Character tables of single-byte code pages, or the names of other entries. */
declare module 'iconv-lite/encodings/*' {
  const tables: Record<string, unknown>
  export default tables
}
