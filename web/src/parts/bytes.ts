// Bytes as they come in base64. Pure, but for the blobs.

export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at);
  return bytes;
}

export interface HexRow {
  offset: string;
  hex: string;
  text: string;
}

// Sixteen bytes a row: where, in hexadecimal, and as text where it is text.
export function hexRows(bytes: Uint8Array, most: number): HexRow[] {
  const rows: HexRow[] = [];
  for (let at = 0; at < Math.min(most, bytes.length); at += 16) {
    const part = [...bytes.slice(at, at + 16)];
    rows.push({
      offset: at.toString(16).padStart(8, "0"),
      hex: part.map((byte) => byte.toString(16).padStart(2, "0")).join(" "),
      text: part.map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : "·")).join(""),
    });
  }
  return rows;
}
