// Plots as SVG text, legible on light and dark ground.

const style = `<style>
text { font: 12px system-ui, sans-serif; fill: #333 }
.title { font-size: 14px; font-weight: 600 }
.axis { stroke: #999; stroke-width: 1 }
.grid { stroke: #999; stroke-opacity: .25 }
.lode { fill: #c2571a; stroke: #c2571a } .bare { fill: #7a8794; stroke: #7a8794 }
.typescript { fill: #3178c6; stroke: #3178c6 } .go { fill: #0e9f8e; stroke: #0e9f8e }
.rust { fill: #9a6ad1; stroke: #9a6ad1 }
.line { fill: none; stroke-width: 2 }
@media (prefers-color-scheme: dark) { text { fill: #ddd } .axis { stroke: #777 } }
</style>`;

const escaped = (text) => String(text).replace(/[&<>]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[c]);

function svg(width, height, title, parts) {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(title)}">
${style}
<text class="title" x="12" y="20">${escaped(title)}</text>
${parts.join('\n')}
</svg>
`;
}

// Bars of very different length, on a logarithmic scale.
// groups: [{label, bars: [{kind, label, value, text}]}]
export function bars(title, groups) {
  const left = 210;
  const span = 430;
  const values = groups.flatMap((group) => group.bars.map((bar) => bar.value)).filter((v) => v > 0);
  const low = 10 ** Math.floor(Math.log10(Math.min(...values)));
  const high = Math.max(...values);
  const x = (value) => left + (span * Math.log10(value / low)) / Math.log10(Math.max(high / low, 10));
  const parts = [];
  let y = 40;
  for (const group of groups) {
    parts.push(`<text x="12" y="${y + 12}">${escaped(group.label)}</text>`);
    for (const bar of group.bars.filter((candidate) => candidate.value > 0)) {
      parts.push(`<rect class="${bar.kind}" x="${left}" y="${y}" width="${Math.max(x(bar.value) - left, 1).toFixed(1)}" height="13" rx="2"/>`);
      parts.push(`<text x="${(x(bar.value) + 6).toFixed(1)}" y="${y + 11}">${escaped(bar.label)} ${escaped(bar.text)}</text>`);
      y += 18;
    }
    y += 10;
  }
  for (let tick = low; tick <= high; tick *= 10) {
    parts.unshift(`<line class="grid" x1="${x(tick).toFixed(1)}" x2="${x(tick).toFixed(1)}" y1="34" y2="${y}"/>`);
    parts.push(`<text x="${x(tick).toFixed(1)}" y="${y + 14}" text-anchor="middle">${tick}</text>`);
  }
  return svg(left + span + 170, y + 24, `${title} (logarithmic)`, parts);
}

// Lines over a logarithmic abscissa, from 0 upwards.
// lines: [{kind, label, points: [[x, y], …]}]
export function lines(title, series, unit) {
  const [left, top, span, height] = [60, 40, 520, 220];
  const points = series.flatMap((line) => line.points);
  const most = Math.max(...points.map(([, y]) => y)) * 1.15;
  const xs = points.map(([x]) => x);
  const [low, high] = [Math.min(...xs), Math.max(...xs)];
  const x = (value) => left + (span * Math.log10(value / low)) / Math.log10(Math.max(high / low, 10));
  const y = (value) => top + height * (1 - value / most);
  const parts = [
    `<line class="axis" x1="${left}" x2="${left + span}" y1="${top + height}" y2="${top + height}"/>`,
    `<line class="axis" x1="${left}" x2="${left}" y1="${top}" y2="${top + height}"/>`,
  ];
  for (let i = 1; i <= 4; i += 1) {
    const value = (most * i) / 4.6;
    parts.push(`<line class="grid" x1="${left}" x2="${left + span}" y1="${y(value).toFixed(1)}" y2="${y(value).toFixed(1)}"/>`);
    parts.push(`<text x="${left - 6}" y="${(y(value) + 4).toFixed(1)}" text-anchor="end">${value.toFixed(1)}</text>`);
  }
  for (const tick of new Set(xs)) {
    parts.push(`<text x="${x(tick).toFixed(1)}" y="${top + height + 18}" text-anchor="middle">${tick.toLocaleString('en-US')}</text>`);
  }
  for (const line of series) {
    const path = line.points.map(([px, py]) => `${x(px).toFixed(1)},${y(py).toFixed(1)}`).join(' ');
    parts.push(`<polyline class="${line.kind} line" style="fill:none" points="${path}"/>`);
    const [lastX, lastY] = line.points.at(-1);
    parts.push(`<text x="${(x(lastX) + 8).toFixed(1)}" y="${(y(lastY) + 4).toFixed(1)}">${escaped(line.label)}</text>`);
  }
  parts.push(`<text x="12" y="${top - 4}">${escaped(unit)}</text>`);
  return svg(left + span + 190, top + height + 30, title, parts);
}
