import { texts } from "../../texts";
import { type Field, linePath, type Minute, mostOf, roundUp, shortNumber } from "./activity";

const width = 600;
const height = 120;

interface Series {
  field: Field;
  text: string;
  tone: "a" | "b" | "bad";
}

interface Props {
  title: string;
  hour: readonly (Minute | null)[];
  kind: "bars" | "lines"; // bars stand on each other
  series: Series[];
  unit?: string;
}

// A small chart of the last hour. What it shows is said in its name; the table has the numbers.
export function Chart({ title, hour, kind, series, unit = "" }: Props) {
  const most =
    kind === "bars"
      ? mostOf(
          hour,
          series.map(({ field }) => field),
        )
      : Math.max(...series.map(({ field }) => mostOf(hour, [field])));
  const top = roundUp(most);
  return (
    <figure class="chart">
      <figcaption>
        <strong>{title}</strong>
        <span class="legend">
          {series.map(({ field, text, tone }) => (
            <span key={field} data-tone={tone}>
              {text}
            </span>
          ))}
        </span>
      </figcaption>
      <div class="chart-field">
        <svg
          viewBox={`0 0 ${width} ${height}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={texts.activity.chart(title, `${shortNumber(most)}${unit}`)}
        >
          <line class="grid" x1="0" x2={width} y1="0.5" y2="0.5" />
          <line class="grid" x1="0" x2={width} y1={height / 2} y2={height / 2} />
          {kind === "bars" ? (
            <Bars hour={hour} series={series} top={top} />
          ) : (
            series.map(({ field, tone }) => (
              <path
                key={field}
                class="curve"
                data-tone={tone}
                d={linePath(hour, field, top, width, height)}
              />
            ))
          )}
          <line class="axis" x1="0" x2={width} y1={height} y2={height} />
        </svg>
        <span class="top faint">
          {shortNumber(top)}
          {unit}
        </span>
      </div>
      <p class="times faint" aria-hidden="true">
        <span>{texts.activity.hourAgo}</span>
        <span>{texts.activity.now}</span>
      </p>
    </figure>
  );
}

function Bars({ hour, series, top }: Pick<Props, "hour" | "series"> & { top: number }) {
  const step = width / hour.length;
  return (
    <>
      {hour.map((minute, at) => {
        let floor = height;
        return series.map(({ field, tone }) => {
          const tall = ((minute?.[field] ?? 0) / top) * height;
          floor -= tall;
          if (tall <= 0) return null;
          return (
            <rect
              key={`${minute?.at} ${field}`}
              data-tone={tone}
              x={at * step + step * 0.12}
              width={step * 0.76}
              y={floor}
              height={tall}
            />
          );
        });
      })}
    </>
  );
}
