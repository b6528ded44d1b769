<html><?php
namespace Geo\Plane;

use Other\Thing;
use Other\Long as Short;
use Group\{One, Two as Second};
use function Other\helper;

require_once 'config.php';
include "other.php";

const LIMIT = 8;
define('OLD', 1);

/** A thing with an area. */
#[Attribute]
abstract class Shape extends Base implements Area
{
    use Countable;
    private const SIDES = 4;
    protected ?int $side = null, $other;
    public static $count = 0;

    public function __construct(private int $x, public readonly string $name) {}

    abstract public function area(): float;

    // Grows.
    private static function grow(int $by): void { $local = 1; }
}

interface Area { public function area(): float; }
trait Countable { function count() {} }
enum Colour: string { case Red = 'red'; case Green = 'green'; }

function helper(int ...$values): int { return 1; }
?></html>
